/** Rules: which requests they match, what they count, and what happens over the limit. */
@NullMarked
package io.quotaenforcer.core.rule;

import org.jspecify.annotations.NullMarked;
