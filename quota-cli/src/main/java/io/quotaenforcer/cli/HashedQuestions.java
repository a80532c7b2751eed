package io.quotaenforcer.cli;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.hash.HashedText;
import io.quotaenforcer.enforcer.ExitCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Questions about one quota key, whose values leave this process as hashes where a rule hashes. */
final class HashedQuestions {
  private HashedQuestions() {}

  /**
   * One question for each key, so two while keys are rotated. Hashes are taken as they are.
   *
   * @param attributes values of the rule's key attributes
   * @param hashed those of them that the rule hashes
   */
  static List<Map<String, String>> of(
      RuleId rule, Map<String, String> attributes, Set<String> hashed, HashKeys keys) {
    List<Map<String, String>> questions = new ArrayList<>();
    for (int i = 0; i < Math.max(1, keys.ids().size()); i++) {
      Map<String, String> question = new LinkedHashMap<>(attributes);
      for (String attribute : hashed) {
        String value = attributes.get(attribute);
        if (value != null && !HashedText.isOne(value)) {
          question.put(attribute, hash(rule, attribute, keys.texts(value), i));
        }
      }
      if (!questions.contains(question)) {
        questions.add(question);
      }
    }
    return questions;
  }

  private static String hash(RuleId rule, String attribute, List<String> texts, int index) {
    if (texts.isEmpty()) {
      throw new CommandException(
          ExitCode.USAGE,
          "%s hashes %s: %s, or give the hash itself"
              .formatted(rule, attribute, HashKeysOption.GIVE));
    }
    return texts.get(index);
  }
}
