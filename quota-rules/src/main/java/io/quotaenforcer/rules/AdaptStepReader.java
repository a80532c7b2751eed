package io.quotaenforcer.rules;

import io.quotaenforcer.core.adapt.AdaptStep;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LoadCondition;
import io.quotaenforcer.core.adapt.Lowering;
import io.quotaenforcer.core.adapt.Recovery;
import io.quotaenforcer.schemas.setting.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads one condition on the load, and what it does to a limit. */
final class AdaptStepReader {
  static final String WHEN = "when";
  static final String FOR = "for";
  static final String TO = "to";
  static final String BY = "by";
  static final String RECOVER = "recover";
  static final String SERVED = "served";
  static final Duration LONGEST = Duration.ofHours(1);
  private static final List<String> KEYS = List.of(WHEN, FOR, TO, BY, RECOVER);
  private static final Duration DEFAULT_FOR = Duration.ofSeconds(5);
  private static final String PERCENT = "([0-9]{1,3}(?:\\.[0-9]{1,2})?)%";
  private static final Pattern PART = Pattern.compile("([0-9]{1,3})(?:\\.([0-9]{1,2}))?%");
  private static final Pattern RECOVERY =
      Pattern.compile("\\+" + PERCENT + " per (\\S{1,20}?)(?: up to " + PERCENT + ")?");

  private final Problems problems;
  private final Scalars scalars;

  AdaptStepReader(Problems problems) {
    this.problems = problems;
    this.scalars = new Scalars(problems);
  }

  /** Null if it is wrong, which is reported. */
  @Nullable AdaptStep read(Node node) {
    Fields fields =
        Fields.of(
            node,
            "a step must be a mapping such as {when: \"cpu > 80%\", for: 5s, to: 50%}",
            problems);
    if (fields == null) {
      return null;
    }
    fields.only(KEYS);
    Node whenNode = fields.required(WHEN, "give a condition such as when: \"latency.p99 > 300ms\"");
    LoadCondition when = whenNode == null ? null : condition(whenNode);
    Long lasts =
        fields.value(
            FOR,
            DEFAULT_FOR.toNanos(),
            (value, name) -> scalars.duration(value, name, Duration.ZERO, LONGEST));
    Lowering lowering = lowering(fields);
    Recovery recovery =
        fields.value(RECOVER, Recovery.Growing.DEFAULT, (value, name) -> recovery(value));
    return when == null || lasts == null || lowering == null || recovery == null
        ? null
        : new AdaptStep(when, lasts, lowering, recovery);
  }

  private @Nullable LoadCondition condition(Node node) {
    String text = scalars.text(node, WHEN);
    if (text == null) {
      return null;
    }
    try {
      return LoadCondition.parse(text);
    } catch (IllegalArgumentException e) {
      problems.at(node, "when: " + e.getMessage());
      return null;
    }
  }

  private @Nullable Lowering lowering(Fields fields) {
    Node to = fields.optional(TO);
    Node by = fields.optional(BY);
    if (by != null && to == null) {
      return by(by);
    }
    if (to == null || by != null) {
      if (to != null || !(fields.isMisspelt(TO) || fields.isMisspelt(BY))) {
        problems.at(
            fields.node(),
            "a step needs one of \"to\" and \"by\", such as to: 50%, to: served or by: -10%");
      }
      return null;
    }
    if (SERVED.equals(scalars.text(to, TO))) {
      return Lowering.ToServed.DEFAULT;
    }
    Integer part = Fields.isNull(to) ? null : scalars.percent(to, TO, 1);
    return part == null ? null : new Lowering.To(part);
  }

  private @Nullable Lowering by(Node node) {
    String text = scalars.text(node, BY);
    if (text == null) {
      return null;
    }
    Integer part = text.startsWith("-") ? percent(text.substring(1)) : null;
    if (part == null || part < 1 || part >= AdaptTerms.WHOLE) {
      problems.at(
          node,
          "by must be between -0.01%% and -99.99%%, such as -10%%, not %s"
              .formatted(Problems.quote(text)));
      return null;
    }
    return new Lowering.By(part);
  }

  private @Nullable Recovery recovery(Node node) {
    String text = scalars.text(node, RECOVER);
    if (text == null) {
      return null;
    }
    Recovery recovery = recovery(text);
    if (recovery == null) {
      problems.at(
          node,
          "recover must be such as \"+5% per 10s\", or \"+0.3% per 1s up to 8%\", of at most 100%"
              + " and an hour, not "
              + Problems.quote(text));
    }
    return recovery;
  }

  private static @Nullable Recovery recovery(String text) {
    Matcher parts = RECOVERY.matcher(text);
    Integer by = parts.matches() ? percent(parts.group(1) + "%") : null;
    Long every = by == null ? null : nanos(parts.group(2));
    if (by == null || every == null) {
      return null;
    }
    try {
      if (parts.group(3) == null) {
        return new Recovery.Even(by, every);
      }
      Integer most = percent(parts.group(3) + "%");
      return most == null ? null : new Recovery.Growing(by, every, most);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable Long nanos(String text) {
    try {
      Duration every = DurationText.parse(text);
      boolean isWithin = every.compareTo(Duration.ZERO) > 0 && every.compareTo(LONGEST) <= 0;
      return isWithin && every.getNano() % 1_000_000 == 0 ? Long.valueOf(every.toNanos()) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Hundredths of a percent; null if it is none. */
  private static @Nullable Integer percent(String text) {
    Matcher matcher = PART.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    String fraction = matcher.group(2) == null ? "00" : (matcher.group(2) + "0").substring(0, 2);
    return Integer.parseInt(matcher.group(1)) * 100 + Integer.parseInt(fraction);
  }
}
