package io.quotaenforcer.bench.accuracy.innocents;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * What is asked for in real time: the users of every case at the same time, each case with rules of
 * its own.
 *
 * @param users of each case
 * @param names what their names begin with: other names are other quota keys
 */
record RealLoad(int users, double seconds, long seed, String names) {
  static final int INSTANCES = 3;

  static final List<Case> CASES =
      Arrays.stream(LimitKind.values()).flatMap(kind -> Case.of(kind, INSTANCES).stream()).toList();

  /**
   * A request of one instance.
   *
   * @param atNanos since the start
   */
  record Due(long atNanos, int of, int user, Request request) {}

  Visitors visitors(int of) {
    Case each = CASES.get(of);
    String rules =
        "%s-%s-%d-".formatted(each.kind().label(), each.enforcement(), each.waitMillis());
    return new Visitors(users, rules.toLowerCase(Locale.ROOT), names);
  }

  /** The rules of all cases. */
  List<Rule> rules() {
    List<Rule> rules = new ArrayList<>();
    for (int of = 0; of < CASES.size(); of++) {
      rules.addAll(visitors(of).rules(CASES.get(of).kind(), CASES.get(of).enforcement()));
    }
    return rules;
  }

  /** What one instance is asked for, in order of time. */
  List<Due> of(int instance) {
    List<Due> all = new ArrayList<>();
    for (int of = 0; of < CASES.size(); of++) {
      Visits visits = new Visits(visitors(of), INSTANCES, seconds, seed + of);
      List<Request> requests = visits.visitors().requests();
      for (int i = 0; i < visits.size(); i++) {
        if (visits.instance(i) == instance) {
          int user = visits.user(i);
          all.add(new Due(visits.at(i) - Visits.START, of, user, requests.get(user)));
        }
      }
    }
    all.sort(Comparator.comparingLong(Due::atNanos));
    return all;
  }
}
