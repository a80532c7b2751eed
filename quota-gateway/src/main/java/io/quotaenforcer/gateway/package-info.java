/** The admission client in a process of its own, for proxies and programs in any language. */
@NullMarked
package io.quotaenforcer.gateway;

import org.jspecify.annotations.NullMarked;
