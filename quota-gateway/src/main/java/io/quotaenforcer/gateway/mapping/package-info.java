/** Which attributes a request has: written by people, checked like rules. */
@NullMarked
package io.quotaenforcer.gateway.mapping;

import org.jspecify.annotations.NullMarked;
