package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.rules.Problems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a draft of every descriptor with a limit, such that only the most specific one applies. */
final class RuleDrafts {
  private final Problems errors;
  private final Problems warnings;
  private final List<RuleDraft> drafts = new ArrayList<>();

  /** The lists that contain the descriptors of the current path. */
  private record Step(Descriptor descriptor, Siblings siblings) {}

  private RuleDrafts(Problems errors, Problems warnings) {
    this.errors = errors;
    this.warnings = warnings;
  }

  /** Drafts in the order of the file, including unlimited ones. */
  static List<RuleDraft> of(List<Descriptor> descriptors, Problems errors, Problems warnings) {
    RuleDrafts drafts = new RuleDrafts(errors, warnings);
    drafts.walk(List.of(), descriptors);
    return drafts.drafts;
  }

  private void walk(List<Step> above, List<Descriptor> descriptors) {
    Siblings siblings = new Siblings(descriptors);
    for (Descriptor descriptor : descriptors) {
      if (above.stream().anyMatch(step -> step.descriptor.key().equals(descriptor.key()))) {
        errors.at(
            descriptor.place(),
            "key %s stands twice in a path, but a request has an attribute once; name one of them"
                    .formatted(Problems.quote(descriptor.key()))
                + " otherwise, here and at the proxy, or remove this");
      } else if (siblings.isNeverReached(descriptor)) {
        warn(
            descriptor,
            "%s is never reached, as an earlier value fits whatever it does; left out with all in"
                + " it",
            descriptor.toString());
      } else {
        List<Step> path = new ArrayList<>(above);
        path.add(new Step(descriptor, siblings));
        if (descriptor.limit().isPresent() && !siblings.isFolded(descriptor)) {
          drafts.add(draft(path));
        }
        walk(path, descriptor.nested());
      }
    }
  }

  private RuleDraft draft(List<Step> path) {
    RuleDraft draft = new RuleDraft(path.stream().map(Step::descriptor).toList());
    for (Step step : path) {
      leaveToOthers(draft, step);
    }
    if (draft.isWritten()) {
      leaveToNested(draft);
    }
    return draft;
  }

  /** Excludes requests that a sibling with a value selects. */
  private void leaveToOthers(RuleDraft draft, Step step) {
    Descriptor descriptor = step.descriptor;
    List<Descriptor> outside = new ArrayList<>(step.siblings.patternsBefore(descriptor));
    for (Descriptor other : step.siblings.valuesBefore(descriptor)) {
      Map<String, String> value = Map.of(descriptor.key(), other.valueText());
      if (!descriptor.countsApart()) {
        outside.add(other);
      } else if (descriptor == draft.descriptor() && step.siblings.folds(other, descriptor)) {
        draft.override(
            other
                .limit()
                .flatMap(EnvoyLimit::window)
                .map(window -> RuleOverride.limited(value, window))
                .orElseGet(() -> RuleOverride.exempt(value)));
      } else {
        draft.exempt(value);
      }
    }
    if (!outside.isEmpty() && draft.isWritten()) {
      leaveOut(draft, descriptor, outside);
    }
  }

  private void leaveOut(RuleDraft draft, Descriptor descriptor, List<Descriptor> others) {
    Optional<Matcher> matcher = OtherValues.of(descriptor.value(), others);
    if (matcher.isPresent()) {
      draft.condition(descriptor.key(), matcher.get());
      if (others.stream().anyMatch(other -> !(other.value() instanceof Matcher.Exact))) {
        warn(
            draft.descriptor(),
            "values of %s of more than 8,192 characters are limited by %s, too, whatever else they"
                + " fit",
            descriptor.key(),
            draft.toString());
      }
    } else if (descriptor.countsApart()) {
      others.forEach(other -> draft.exempt(descriptor.key(), other.value()));
      warn(
          draft.descriptor(),
          "values of %s of more than "
              + QuotaKey.MAX_VALUE_CHARS
              + " characters are limited by %s, too, whatever else they fit",
          descriptor.key(),
          draft.toString());
    } else {
      errors.at(
          descriptor.place(),
          "%s cannot leave to %d other values of %s what is theirs: the expression for it has more"
                  .formatted(
                      Problems.quote(draft.toString()),
                      others.size(),
                      Problems.quote(descriptor.key()))
              + " than %d characters, and one counter for all values has no overrides; use fewer"
                  .formatted(Matcher.Regex.MAX_EXPRESSION_CHARS)
              + " values, or none that need a limit of their own");
    }
  }

  /** Limits a draft to requests with exactly as many entries as its path. */
  private void leaveToNested(RuleDraft draft) {
    Map<String, Matcher> absent = new LinkedHashMap<>();
    for (Descriptor nested : draft.descriptor().nested()) {
      if (draft.path().stream().noneMatch(above -> above.key().equals(nested.key()))) {
        absent.put(nested.key(), new Matcher.Absent());
      }
    }
    if (!absent.isEmpty()) {
      absent.forEach(draft::condition);
      warn(
          draft.descriptor(),
          "%s does not hold for requests that also have %s, which are limited by what is nested; if"
              + " the proxy sends both descriptors, remove {absent: true}",
          draft.toString(),
          String.join(" or ", absent.keySet()));
    }
  }

  private void warn(Descriptor descriptor, String message, String... names) {
    Object[] quoted = new Object[names.length];
    for (int i = 0; i < names.length; i++) {
      quoted[i] = Problems.quote(names[i]);
    }
    warnings.at(descriptor.place(), message.formatted(quoted));
  }
}
