package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Rule;

/**
 * A quota key with the facts of its rule that a verdict needs.
 *
 * @param id index of the key in its table
 * @param ruleIndex index of the rule in its table
 * @param limit the key's own limit, with override and tolerance
 */
public record KeyEntry(int id, QuotaKey quotaKey, int ruleIndex, Rule rule, Limit limit) {}
