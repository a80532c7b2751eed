package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.RuleSet;

/**
 * How a quota key borrows, kept so that not each request looks it up.
 *
 * @param rules by which it does; by others it is to be looked up anew
 * @param pool of which it borrows
 * @param key what that is counted under
 */
record Borrower(RuleSet rules, RuleId pool, KeyAllotment key) {}
