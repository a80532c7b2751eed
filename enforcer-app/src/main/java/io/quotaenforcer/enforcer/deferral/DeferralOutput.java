package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.message.UsageReport;

/** Where the queues of one partition send what they have to say. */
public interface DeferralOutput {
  /** In the transaction that is open. */
  void release(Replay replay);

  /** In the transaction that is open: to the ledger of this partition. */
  void report(UsageReport report);

  /**
   * In the transaction that is open.
   *
   * @param request as it came
   */
  void deadLetter(String id, String quotaKey, byte[] request, String reason);

  /** At once, or never: what it says must be committed. */
  void answer(ReplyTo to, DeferralAnswer answer);

  /** Transactions that are committed. What was written while it was smaller is committed. */
  long commits();
}
