/**
 * The instance's side of the protocol: its allotments, decisions that spend them, and its reports.
 * Decisions may be made by any number of threads; the rest has one owner. Carries out "A request is
 * decided", "Usage is reported", "The answer comes back", "Idle keys, rule changes, the end" and
 * "Without an answer" of protocol.md.
 */
@NullMarked
package io.quotaenforcer.core.allotment;

import org.jspecify.annotations.NullMarked;
