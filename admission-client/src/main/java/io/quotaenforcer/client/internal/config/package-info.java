/** The settings of an admission client: read from properties, checked, and handed on by name. */
@NullMarked
package io.quotaenforcer.client.internal.config;

import org.jspecify.annotations.NullMarked;
