/**
 * Rules for Jakarta servlets: {@link io.quotaenforcer.servlet.QuotaFilter} decides each request.
 */
@NullMarked
package io.quotaenforcer.servlet;

import org.jspecify.annotations.NullMarked;
