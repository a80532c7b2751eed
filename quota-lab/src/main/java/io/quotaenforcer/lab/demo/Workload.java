package io.quotaenforcer.lab.demo;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.verdict.KeyTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The demo's requests: their keys, and the demand for each.
 *
 * <p>Zipf with exponent 1.1 over the hot keys of each rule: the first are asked for up to nine
 * times their limit, most for less than it. The strict rule has hot keys only, as the first request
 * for a strict key is throttled until the first grant; thousands of sparse keys are on a balanced
 * one. Another balanced one has thousands of light users beside hot ones, who come with a few
 * requests at once.
 */
public final class Workload {
  private static final double ZIPF_EXPONENT = 1.1;
  private static final int HOT_CUSTOMERS = 24;
  private static final int HOT_API_KEYS = 40;
  private static final int HOT_TENANTS = 30;
  private static final int SPARSE_API_KEYS = 4000;
  private static final int HOT_USERS = 10;
  private static final int LIGHT_USERS = 4000;

  private static final double ORDERS_SHARE = 0.30;
  private static final double READS_SHARE = 0.38;
  private static final double SPARSE_READS_SHARE = 0.02;
  private static final double UPLOADS_SHARE = 0.25;
  private static final double SEARCHES_SHARE = 0.04;
  private static final double VISITS_SHARE = 0.01;

  /** Requests of a light user that come at once. */
  private static final int OF_A_VISIT = 4;

  private final Load load;
  private final KeyTable keys;
  private final List<Request> requests = new ArrayList<>();
  private final List<Double> weights = new ArrayList<>();
  private final int firstLightUser;
  private final double[] cumulative;

  public Workload(Load load) {
    this.load = load;
    this.keys = new KeyTable(DemoRules.forRate(load.requestsPerSecond()));
    addZipf(DemoRules.ORDERS, "POST /orders", "c-", HOT_CUSTOMERS, ORDERS_SHARE);
    addZipf(DemoRules.READS, "GET /items", "k-", HOT_API_KEYS, READS_SHARE);
    for (int i = 1; i <= SPARSE_API_KEYS; i++) {
      add(DemoRules.READS, "GET /items", "sparse-" + i, SPARSE_READS_SHARE / SPARSE_API_KEYS);
    }
    addZipf(DemoRules.UPLOADS, "PUT /files", "t-", HOT_TENANTS, UPLOADS_SHARE);
    addZipf(DemoRules.SEARCHES, "GET /search", "u-", HOT_USERS, SEARCHES_SHARE);
    firstLightUser = requests.size();
    for (int i = 1; i <= LIGHT_USERS; i++) {
      add(DemoRules.SEARCHES, "GET /search", "light-" + i, VISITS_SHARE / LIGHT_USERS);
    }
    cumulative = weights.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.parallelPrefix(cumulative, Double::sum);
  }

  public List<Rule> rules() {
    return keys.rules();
  }

  /** Exactly the quota keys of the load. */
  public KeyTable keys() {
    return keys;
  }

  /** Number of keys; they are numbered from 0. */
  public int keyCount() {
    return requests.size();
  }

  /** The request for a key; the same object each time. */
  public Request request(int key) {
    return requests.get(key);
  }

  /** Number of requests for a key that come at once. */
  public int atOnce(int key) {
    return key < firstLightUser ? 1 : OF_A_VISIT;
  }

  /** Arrivals at one instance. The same load always gives the same arrivals. */
  public Arrivals arrivals(int instance) {
    if (instance < 0 || instance >= load.instances()) {
      throw new IllegalArgumentException(
          "must be >= 0 and < " + load.instances() + ": instance=" + instance);
    }
    SplittableRandom random = new SplittableRandom(load.seed() * 1_000_003 + instance);
    return new Arrivals(load, load.share(instance), cumulative, random);
  }

  private void addZipf(int rule, String api, String prefix, int count, double share) {
    double sum = 0;
    for (int rank = 1; rank <= count; rank++) {
      sum += StrictMath.pow(rank, -ZIPF_EXPONENT);
    }
    for (int rank = 1; rank <= count; rank++) {
      add(rule, api, prefix + rank, share * StrictMath.pow(rank, -ZIPF_EXPONENT) / sum);
    }
  }

  private void add(int ruleIndex, String api, String value, double weight) {
    Rule rule = keys.rules().get(ruleIndex);
    int id = keys.of(QuotaKey.of(rule.id(), List.of(value))).id();
    if (id != requests.size()) {
      throw new IllegalStateException("must be a new key: " + value);
    }
    requests.add(Request.of("api", api, rule.key().names().get(0), value));
    weights.add(weight);
  }
}
