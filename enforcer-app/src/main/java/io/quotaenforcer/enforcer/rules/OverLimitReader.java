package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import io.quotaenforcer.core.rule.OverLimit.Release;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads what becomes of requests over the limit: {@code over-limit} and {@code deferral}. */
final class OverLimitReader {
  static final String THROTTLE = "throttle";
  static final String DEFER = "defer";
  private static final List<String> KEYS =
      List.of(
          "replay-share", "release", "queue-length", "queue-bytes", "unacknowledged", "on-delete");
  private static final long MOST = 1L << 50;

  private final Problems problems;
  private final Scalars scalars;

  OverLimitReader(Problems problems) {
    this.problems = problems;
    this.scalars = new Scalars(problems);
  }

  /** Null when something is wrong, which is reported. */
  @Nullable OverLimit read(Fields fields, @Nullable Enforcement enforcement) {
    Node wordNode = fields.optional("over-limit");
    String word =
        wordNode == null
            ? THROTTLE
            : scalars.word(wordNode, "over-limit", List.of(THROTTLE, DEFER));
    Node deferral = fields.optional("deferral");
    if (!DEFER.equals(word)) {
      if (deferral != null && word != null) {
        problems.at(deferral, "deferral is for over-limit: defer only; add that, or remove this");
      }
      return word == null ? null : OverLimit.THROTTLE;
    }
    if (enforcement == Enforcement.PER_INSTANCE && wordNode != null) {
      problems.at(
          wordNode,
          "over-limit: defer needs a limit for all instances, not enforcement: per-instance; use"
              + " strict or balanced");
      return null;
    }
    if (deferral == null) {
      return Defer.DEFAULTS;
    }
    Fields given =
        Fields.of(deferral, "deferral must be a mapping such as {replay-share: 20%}", problems);
    return given == null ? null : defer(given.only(KEYS));
  }

  private @Nullable OverLimit defer(Fields fields) {
    Defer defaults = Defer.DEFAULTS;
    Node shareNode = fields.optional("replay-share");
    Integer share =
        shareNode == null
            ? Integer.valueOf(defaults.replayShareBasisPoints())
            : scalars.percent(shareNode, "replay-share", 1);
    Node releaseNode = fields.optional("release");
    Release release =
        releaseNode == null
            ? defaults.release()
            : scalars.constant(releaseNode, "release", Release.values());
    Long length = number(fields, "queue-length", defaults.queueLength(), MOST);
    Node bytesNode = fields.optional("queue-bytes");
    Long bytes =
        bytesNode == null
            ? Long.valueOf(defaults.queueBytes())
            : scalars.bytes(bytesNode, "queue-bytes", MOST);
    Long unacknowledged =
        number(fields, "unacknowledged", defaults.unacknowledged(), Defer.MAX_UNACKNOWLEDGED);
    Node onDeleteNode = fields.optional("on-delete");
    OnDelete onDelete =
        onDeleteNode == null
            ? defaults.onDelete()
            : scalars.constant(onDeleteNode, "on-delete", OnDelete.values());
    if (share == null
        || release == null
        || length == null
        || bytes == null
        || unacknowledged == null
        || onDelete == null) {
      return null;
    }
    return new Defer(share, release, length, bytes, Math.toIntExact(unacknowledged), onDelete);
  }

  private @Nullable Long number(Fields fields, String name, long otherwise, long most) {
    Node node = fields.optional(name);
    return node == null ? Long.valueOf(otherwise) : scalars.number(node, name, 1, most);
  }
}
