package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.enforcer.activity.ActivityBoard;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.schemas.topic.Wire;

/**
 * Shared facilities of every processor.
 *
 * @param failed failures, including those of earlier threads
 * @param activity what reports say lately, for others to read
 */
public record Workplace(
    Wire wire,
    RuleBoard rules,
    TopologySettings settings,
    EnforcerMetrics metrics,
    FailedRecords failed,
    ActivityBoard activity) {}
