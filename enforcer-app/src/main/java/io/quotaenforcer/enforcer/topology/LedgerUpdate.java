package io.quotaenforcer.enforcer.topology;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * One instance's report on one quota key being applied to its ledger, for the JDK's Flight
 * Recorder. Free while nothing records it.
 */
@Name(LedgerUpdate.NAME)
@Label("Ledger update")
@Category("Quota Enforcer")
@Description("One instance's report on one quota key being applied to its ledger.")
@StackTrace(false)
public final class LedgerUpdate extends Event {
  public static final String NAME = "io.quotaenforcer.LedgerUpdate";
}
