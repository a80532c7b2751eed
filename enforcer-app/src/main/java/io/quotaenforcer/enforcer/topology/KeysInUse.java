package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Quota keys of rules whose limits follow the load that instances have reported lately: those to be
 * told when that changes. Bounded: beyond {@link #MOST} the one that was reported first is
 * forgotten; its instances learn of the change from the answer to their next report.
 */
final class KeysInUse {
  static final int MOST = 2 * AnnouncementPace.AT_ONCE;

  private final Set<QuotaKey> keys = new LinkedHashSet<>();

  void add(QuotaKey key) {
    if (keys.add(key) && keys.size() > MOST) {
      Iterator<QuotaKey> oldest = keys.iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /** Those of a rule, which are forgotten: who uses them still will report them again. */
  List<QuotaKey> take(RuleId rule) {
    List<QuotaKey> taken = new ArrayList<>();
    for (QuotaKey key : new LinkedHashSet<>(keys)) {
      if (key.rule().equals(rule)) {
        keys.remove(key);
        taken.add(key);
      }
    }
    return taken;
  }
}
