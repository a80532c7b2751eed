package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.rule.Elastic;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maps a rule's borrowing to and from the wire. */
final class ElasticMapping {
  private ElasticMapping() {}

  static io.quotaenforcer.schemas.@Nullable Elastic toRecord(Optional<Elastic> elastic) {
    return elastic
        .map(it -> new io.quotaenforcer.schemas.Elastic(it.pool(), it.upToBasisPoints()))
        .orElse(null);
  }

  static Optional<Elastic> fromRecord(io.quotaenforcer.schemas.@Nullable Elastic record) {
    return record == null
        ? Optional.empty()
        : Optional.of(
            Fields.read(
                "elastic",
                () ->
                    new Elastic(
                        Fields.required(record.pool(), "elastic.pool"), record.upToBasisPoints())));
  }
}
