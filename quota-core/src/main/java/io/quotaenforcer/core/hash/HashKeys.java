package io.quotaenforcer.core.hash;

import io.quotaenforcer.core.Request;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The keys by which an instance hashes values: one, two while they are rotated, or none. With two,
 * each value has two hashes, the older key's first, and requests count under both, so that
 * instances that have one of the keys and instances that have both hold one limit together.
 * Immutable.
 */
public final class HashKeys {
  /** Most keys at a time. */
  public static final int MOST = 2;

  /** No keys: nothing can be hashed. */
  public static final HashKeys NONE = new HashKeys(List.of());

  private final List<HashKey> all;

  private HashKeys(List<HashKey> all) {
    this.all = all;
  }

  /**
   * Keys of different ids, the older one first.
   *
   * @throws IllegalArgumentException if there are more than {@value #MOST}, or two have one id
   */
  public static HashKeys of(List<HashKey> keys) {
    if (keys.size() > MOST) {
      throw new IllegalArgumentException("must be at most 2 hash keys: count=" + keys.size());
    }
    if (Set.copyOf(ids(keys)).size() < keys.size()) {
      throw new IllegalArgumentException("must be different ids of hash keys: ids=" + ids(keys));
    }
    return keys.isEmpty() ? NONE : new HashKeys(List.copyOf(keys));
  }

  /**
   * One key that nobody else has: hashes by it mean something in this process only.
   *
   * @param random of cryptographic strength
   */
  public static HashKeys ofProcess(RandomGenerator random) {
    byte[] secret = new byte[HashKey.MIN_BYTES];
    random.nextBytes(secret);
    return of(List.of(new HashKey("process", secret)));
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** The names of the keys, the older one first. */
  public List<String> ids() {
    return ids(all);
  }

  /** The hashes of a value, by each of the keys in their order; empty without keys. */
  public List<String> texts(String value) {
    return switch (all.size()) {
      case 0 -> List.of();
      case 1 -> List.of(all.get(0).text(value));
      default -> List.of(all.get(0).text(value), all.get(1).text(value));
    };
  }

  /**
   * The hashes that stand for a value of a request; empty if it is in the clear and there are no
   * keys. Of a request that {@linkplain Request#isReceived came from elsewhere} a value that is
   * hashed already is taken as it is.
   */
  public List<String> texts(Request request, String value) {
    List<String> hashed = request.isReceived() ? HashedText.split(value) : List.of();
    return hashed.isEmpty() ? texts(value) : hashed;
  }

  /**
   * The request as it may leave the process: values of these attributes are hashed, and left out
   * where there are no keys.
   */
  public Request leaving(Request request, Set<String> attributes) {
    Map<String, String> leaving = null;
    for (String attribute : attributes) {
      String value = request.attributes().get(attribute);
      if (value == null) {
        continue;
      }
      leaving = leaving == null ? new HashMap<>(request.attributes()) : leaving;
      List<String> texts = texts(request, value);
      if (texts.isEmpty()) {
        leaving.remove(attribute);
      } else {
        leaving.put(attribute, HashedText.join(texts));
      }
    }
    return leaving == null ? request : Request.received(leaving, request.cost());
  }

  private static List<String> ids(List<HashKey> keys) {
    return keys.stream().map(HashKey::id).toList();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HashKeys that && all.equals(that.all);
  }

  @Override
  public int hashCode() {
    return all.hashCode();
  }

  @Override
  public String toString() {
    return "HashKeys" + ids();
  }
}
