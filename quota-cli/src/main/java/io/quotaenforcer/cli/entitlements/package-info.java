/** Limits of quota keys by data: read from files, checked against their rule, and addressed. */
@NullMarked
package io.quotaenforcer.cli.entitlements;

import org.jspecify.annotations.NullMarked;
