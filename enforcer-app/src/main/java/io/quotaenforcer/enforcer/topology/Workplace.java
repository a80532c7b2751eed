package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.schemas.topic.Wire;

/**
 * Shared facilities of every processor.
 *
 * @param failed failures, including those of earlier threads
 */
public record Workplace(
    Wire wire,
    RuleBoard rules,
    TopologySettings settings,
    EnforcerMetrics metrics,
    FailedRecords failed) {}
