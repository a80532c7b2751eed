package io.quotaenforcer.core.activity;

import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.UsageReport;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The instances heard last, in bounded memory: those heard longest ago are forgotten first. */
final class HeardInstances {
  private static final float LOAD_FACTOR = 0.75f;

  private final int most;
  private final long retentionNanos;

  /** In the order of their newest reports. */
  private final Map<Id, HeardInstance> heard = new LinkedHashMap<>(16, LOAD_FACTOR, true);

  private record Id(HolderId holder, long epoch) {}

  /**
   * @param retentionNanos for which one is known that is silent
   */
  HeardInstances(int most, long retentionNanos) {
    this.most = most;
    this.retentionNanos = retentionNanos;
  }

  void add(UsageReport report, long now) {
    Id id = new Id(report.holder(), report.epoch());
    heard.put(
        id,
        new HeardInstance(
            report.holder(), report.epoch(), now, report.loopNanos(), report.quotas().size()));
    Iterator<HeardInstance> oldest = heard.values().iterator();
    while (oldest.hasNext()) {
      boolean isOld = now - oldest.next().heardNanos() > retentionNanos;
      if (!isOld && heard.size() <= most) {
        return;
      }
      oldest.remove();
    }
  }

  List<HeardInstance> at(long now) {
    List<HeardInstance> known = new ArrayList<>(heard.values());
    known.removeIf(one -> now - one.heardNanos() > retentionNanos);
    return known;
  }
}
