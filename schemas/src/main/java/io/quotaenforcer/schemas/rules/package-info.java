/** Reading the rules topic, for clients and enforcers alike. */
@NullMarked
package io.quotaenforcer.schemas.rules;

import org.jspecify.annotations.NullMarked;
