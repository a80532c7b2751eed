package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.rule.DemandClasses;
import io.quotaenforcer.schemas.DemandClass;
import java.util.List;

/** Classes of requests, to and from the wire. */
final class ClassMapping {
  private ClassMapping() {}

  static List<DemandClass> toRecords(DemandClasses classes) {
    return classes.all().stream()
        .map(
            each ->
                new DemandClass(
                    each.name(),
                    MatchMapping.toRecords(each.match()),
                    each.reserveBasisPoints(),
                    each.upToBasisPoints()))
        .toList();
  }

  static DemandClasses fromRecords(List<DemandClass> records) {
    return Fields.read(
        "classes",
        () ->
            new DemandClasses(
                records.stream()
                    .map(
                        each ->
                            new io.quotaenforcer.core.rule.DemandClass(
                                Fields.required(each.name(), "classes.name"),
                                MatchMapping.fromRecords(
                                    Fields.required(each.match(), "classes.match"),
                                    "classes.match"),
                                each.reserveBasisPoints(),
                                each.upToBasisPoints()))
                    .toList()));
  }
}
