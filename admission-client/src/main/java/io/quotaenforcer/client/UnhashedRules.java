package io.quotaenforcer.client;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.rule.Rule;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says of each rule once that it cannot count, since it hashes values and there is no key, or that
 * it keeps in the clear what another one hashes.
 */
final class UnhashedRules {
  /** The interface that users know: a field of the class would close a circle of packages. */
  private static final Logger log =
      LoggerFactory.getLogger("io.quotaenforcer.client.AdmissionClient");

  private final AllotmentBook book;

  /** Limited to the rules in force. */
  private Set<RuleId> said = Set.of();

  UnhashedRules(AllotmentBook book) {
    this.book = book;
  }

  /** To be called when rules or keys are others. */
  synchronized void look() {
    Set<RuleId> now = new HashSet<>();
    Set<String> hashed = book.rules().hashed();
    if (!hashed.isEmpty()) {
      for (Rule rule : book.rules().rules()) {
        look(rule, hashed, now);
      }
    }
    said = now;
  }

  private void look(Rule rule, Set<String> hashed, Set<RuleId> now) {
    Set<String> own = rule.key().hashed();
    if (!own.isEmpty() && book.hashKeys().isEmpty()) {
      if (now.add(rule.id()) && !said.contains(rule.id())) {
        log.error(
            "rule {} hashes {}, and this client has no key to do so: requests that match it are not"
                + " ready ({}); set hash.keys.file or hash.keys, with the keys of the other"
                + " instances",
            rule.id(),
            own,
            "refused if it is strict, else by before.rules");
      }
      return;
    }
    Set<String> clear = new HashSet<>(rule.key().names());
    clear.removeAll(own);
    clear.retainAll(hashed);
    if (!clear.isEmpty() && now.add(rule.id()) && !said.contains(rule.id())) {
      log.warn(
          "rule {} counts by {} in the clear, which another rule hashes: its quota keys show the"
              + " values, and of request events and replays it sees hashes; hash them in both",
          rule.id(),
          clear);
    }
  }
}
