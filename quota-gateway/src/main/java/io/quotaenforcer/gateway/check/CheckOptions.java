package io.quotaenforcer.gateway.check;

import io.quotaenforcer.http.HttpQuota.OnFailure;
import java.time.Duration;

/**
 * How requests are decided.
 *
 * @param maxWait how long one may wait for permits that are on their way; zero does not wait
 * @param onFailure what becomes of one that cannot be decided, since we failed
 */
public record CheckOptions(Duration maxWait, OnFailure onFailure) {}
