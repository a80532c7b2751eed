package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.ExhaustedQuota;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Tells all instances of keys whose limits changed while permits of them were out, at a bounded
 * pace. Those beyond wait for a second; what does not fit there is not told: an instance learns it
 * from the answer to its next report.
 */
final class LimitNews {
  private static final int MOST_WAITING = 10_000;

  private final AnnouncementPace pace = new AnnouncementPace();
  private final Map<QuotaKey, ExhaustedQuota> waiting = new LinkedHashMap<>();
  private final BiConsumer<QuotaKey, ExhaustedQuota> announce;

  LimitNews(BiConsumer<QuotaKey, ExhaustedQuota> announce) {
    this.announce = announce;
  }

  void tell(QuotaKey key, ExhaustedQuota news, long now) {
    if (waiting.isEmpty() && pace.mayAnnounce(now)) {
      announce.accept(key, news);
    } else if (waiting.size() < MOST_WAITING || waiting.containsKey(key)) {
      waiting.put(key, news);
    }
  }

  /** Tells those that waited, as far as the pace allows. */
  void tellWaiting(long now) {
    Iterator<Map.Entry<QuotaKey, ExhaustedQuota>> next = waiting.entrySet().iterator();
    while (next.hasNext() && pace.mayAnnounce(now)) {
      Map.Entry<QuotaKey, ExhaustedQuota> news = next.next();
      announce.accept(news.getKey(), news.getValue());
      next.remove();
    }
  }
}
