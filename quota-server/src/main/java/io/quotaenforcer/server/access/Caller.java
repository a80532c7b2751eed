package io.quotaenforcer.server.access;

/**
 * Who sent a token.
 *
 * @param name of the token
 */
public record Caller(String name, Role role) {}
