package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.message.UsageReport;

/** Output of the queues of one partition. */
public interface DeferralOutput {
  /** Within the open transaction. */
  void release(Replay replay);

  /** In the transaction that is open: to the ledger of this partition. */
  void report(UsageReport report);

  /**
   * Within the open transaction.
   *
   * @param request its original bytes
   */
  void deadLetter(String id, String quotaKey, byte[] request, String reason);

  /** At once, or never: its contents must be committed. */
  void answer(ReplyTo to, DeferralAnswer answer);

  /** Number of committed transactions. Anything written while it was smaller is committed. */
  long commits();
}
