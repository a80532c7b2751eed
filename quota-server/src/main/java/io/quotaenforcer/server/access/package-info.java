/** Who may ask a server for what. */
@NullMarked
package io.quotaenforcer.server.access;

import org.jspecify.annotations.NullMarked;
