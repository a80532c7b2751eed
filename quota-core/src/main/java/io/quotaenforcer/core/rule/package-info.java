/**
 * Rules: which requests they match, what they count, and what happens over the limit. The terms of
 * "A request is decided" in protocol.md.
 */
@NullMarked
package io.quotaenforcer.core.rule;

import org.jspecify.annotations.NullMarked;
