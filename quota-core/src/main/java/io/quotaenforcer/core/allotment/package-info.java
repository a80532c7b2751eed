/**
 * The instance's side of the protocol: the allotments that it holds, decisions that spend them, and
 * what it reports. Decisions may be made by any number of threads; the rest has one owner.
 */
@NullMarked
package io.quotaenforcer.core.allotment;

import org.jspecify.annotations.NullMarked;
