/** Rules as YAML files: read, written, compared, and explained in words. */
@NullMarked
package io.quotaenforcer.rules;

import org.jspecify.annotations.NullMarked;
