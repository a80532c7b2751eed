package io.quotaenforcer.http;

import java.util.Map;

/**
 * An HTTP answer instead of the service's own. Immutable.
 *
 * @param headers names and values, with {@code Content-Type}, in the order in which they are
 *     usually sent
 * @param body JSON
 */
public record HttpAnswer(int status, Map<String, String> headers, String body) {}
