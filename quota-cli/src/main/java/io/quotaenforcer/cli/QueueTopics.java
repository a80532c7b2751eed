package io.quotaenforcer.cli;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.enforcer.deadletters.DeadLetter;
import java.util.List;

/** Where queues are told to change requests, and where the dead letters stand that come of it. */
interface QueueTopics extends AutoCloseable {
  /** What the queue of a quota key is told. */
  record Told(QuotaKey key, DeferralInput input) {}

  /** Returns once all of it is safe. */
  void tell(List<Told> all);

  /** Dead letters since the queues were told, as far as they are committed. */
  List<DeadLetter> lettersSince();

  @Override
  void close();
}
