package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.RuleId;

/** The condition of a rule that was not tried to the end, for the value of a request. */
public record GivenUp(RuleId rule, String attribute) {}
