package io.quotaenforcer.enforcer.http;

/** Paths of queries about deferred requests, with their parameters. */
public final class DeferredPaths {
  /** {@link #RULE} or {@link #KEY}, {@link #BY_KEY}, {@link #LIMIT}, {@link #PARTITIONS}. */
  public static final String STATS = "/v1/deferred/stats";

  /** {@link #RULE} or {@link #KEY}, {@link #AFTER}, {@link #LIMIT}, {@link #PARTITIONS}. */
  public static final String LIST = "/v1/deferred/list";

  /** {@link #ID}, {@link #PAYLOAD}, {@link #PARTITIONS}. */
  public static final String SHOW = "/v1/deferred/show";

  public static final String RULE = "rule";

  /** Text of a quota key. */
  public static final String KEY = "key";

  public static final String BY_KEY = "by-key";
  public static final String LIMIT = "limit";
  public static final String AFTER = "after";
  public static final String ID = "id";

  /** Headers and payload, too: for those who send a token. */
  public static final String PAYLOAD = "payload";

  /** Numbers separated by commas; all if absent. */
  public static final String PARTITIONS = "partitions";

  public static final int DEFAULT_LIMIT = 100;

  /** Entries in one answer: to get more, ask again with {@link #AFTER} set to its last place. */
  public static final int MAX_LIMIT = 1_000;

  private DeferredPaths() {}
}
