package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.rules.Problems;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.rules.RuleProblem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One domain of a configuration, from all its files. */
final class EnvoyDomain {
  private final List<EnvoyFile> files;
  private final Problems errors;
  private final Problems warnings;

  /**
   * @param files at least one, without errors, all of the same domain
   */
  EnvoyDomain(List<EnvoyFile> files) {
    this.files = List.copyOf(files);
    List<String> names = files.stream().map(EnvoyFile::name).toList();
    this.errors = new Problems(names);
    this.warnings = new Problems(names);
    files.forEach(file -> warnings.addAll(file.warnings()));
  }

  /** The domain as a rule file can name it. */
  String name() {
    return named(content(0).domain());
  }

  /** A domain of theirs as it is named here. */
  static String named(String domain) {
    return RuleId.isName(domain) ? domain : RuleIds.name(domain, "imported");
  }

  private EnvoyFile.Content content(int file) {
    return files.get(file).content().orElseThrow();
  }

  EnvoyRules toRules(boolean forGateway) {
    checkDomain();
    List<Descriptor> descriptors = new ArrayList<>();
    files.forEach(file -> descriptors.addAll(file.content().orElseThrow().descriptors()));
    if (files.size() > 1) {
      checkDuplicates(descriptors);
    }
    List<RuleDraft> drafts = forGateway ? GatewayDrafts.of(descriptors) : alone(descriptors);
    if (errors.count() > 0) {
      return new EnvoyRules.Refused(errors.inOrder());
    }
    List<RuleProblem> told = warnings.inOrder();
    String yaml = new RuleFileText(files, told).of(name(), drafts);
    if (RuleFile.parse("the imported rules", yaml) instanceof RuleFile.Invalid invalid) {
      throw new IllegalStateException("must be a valid rule file: " + invalid.problems().get(0));
    }
    return new EnvoyRules.Imported(List.of(new EnvoyRules.Domain(name(), yaml)), told);
  }

  /** Drafts that hold wherever a request has the attributes, without any gateway. */
  private List<RuleDraft> alone(List<Descriptor> descriptors) {
    List<RuleDraft> drafts = RuleDrafts.of(descriptors, errors, warnings);
    new Replacements(warnings).apply(drafts);
    drafts.forEach(this::check);
    return drafts;
  }

  private void checkDomain() {
    String domain = content(0).domain();
    if (!domain.equals(name())) {
      warnings.at(
          content(0).place(),
          "domain %s has characters or a length that a domain here cannot have; it is %s"
              .formatted(Problems.quote(domain), Problems.quote(name())));
    }
    for (int i = 1; i < files.size(); i++) {
      warnings.at(
          content(i).place(),
          "domain %s is that of %s, too; merged, as Envoy's service does if MERGE_DOMAIN_CONFIG is true"
              .formatted(Problems.quote(domain), files.get(0).name()));
    }
  }

  /** Duplicates within a file; files of one domain are merged first. */
  private void checkDuplicates(List<Descriptor> descriptors) {
    Map<String, Descriptor> seen = new HashMap<>();
    for (Descriptor descriptor : descriptors) {
      Descriptor first = seen.putIfAbsent(descriptor.compositeKey(), descriptor);
      if (first != null) {
        errors.at(
            descriptor.place(),
            "duplicate descriptor %s; first given in %s, line %d, keep one"
                .formatted(
                    Problems.quote(descriptor.toString()),
                    errors.fileOf(first.place()),
                    Problems.line(first.place())));
      }
    }
  }

  private void check(RuleDraft draft) {
    if (draft.isWritten() && draft.overrides().size() > EnvoyRules.MAX_OVERRIDES) {
      errors.at(
          draft.descriptor().place(),
          "more than %d values beside this descriptor; a rule has at most as many overrides"
              .formatted(EnvoyRules.MAX_OVERRIDES));
    }
  }
}
