/** The HTTP API for operators, and its description in OpenAPI. */
@NullMarked
package io.quotaenforcer.enforcer.api;

import org.jspecify.annotations.NullMarked;
