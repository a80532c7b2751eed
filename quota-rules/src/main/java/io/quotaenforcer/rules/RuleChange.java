package io.quotaenforcer.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Optional;

/** Effect of applying a rule file on one rule. */
public sealed interface RuleChange {

  RuleId id();

  /** The rule is new. */
  record Added(Rule rule) implements RuleChange {
    @Override
    public RuleId id() {
      return rule.id();
    }
  }

  /**
   * The rule is published and different.
   *
   * @param after carries the next version
   * @param fields the differences, at least one
   */
  record Changed(Rule before, Rule after, List<FieldChange> fields) implements RuleChange {
    public Changed {
      fields = List.copyOf(fields);
    }

    @Override
    public RuleId id() {
      return after.id();
    }

    /** Whether earlier counts do not carry over. */
    public boolean countsAnew() {
      return after.generation() != before.generation();
    }
  }

  /**
   * The rule is published, and is deleted.
   *
   * @param before empty if the published record cannot be read
   */
  record Deleted(RuleId id, Optional<Rule> before) implements RuleChange {}

  /** The rule is published, not in the file, and stays: only pruning deletes. */
  record Kept(Rule rule) implements RuleChange {
    @Override
    public RuleId id() {
      return rule.id();
    }
  }

  /** The rule is published with the same content as in the file. */
  record Unchanged(Rule rule) implements RuleChange {
    @Override
    public RuleId id() {
      return rule.id();
    }
  }

  /** One field of a rule in the words of the rule language; empty if it has none. */
  record FieldChange(String field, String before, String after) {}
}
