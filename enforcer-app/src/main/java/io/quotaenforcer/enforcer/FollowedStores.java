package io.quotaenforcer.enforcer;

import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has stores read anew that were left for too long, and notes how long they follow their topics.
 */
final class FollowedStores implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(FollowedStores.class);

  private final StoreAge age;
  private final BooleanSupplier follow;
  private final EverySecond watch = new EverySecond("quota-store-age", this::look);

  private FollowedStores(StoreAge age, BooleanSupplier follow) {
    this.age = age;
    this.follow = follow;
  }

  /**
   * Begins, before the stores are opened.
   *
   * @param empty drops all stores
   * @param follow whether the stores follow their topics
   */
  static FollowedStores begin(StoreAge age, Runnable empty, BooleanSupplier follow) {
    if (age.isTooOld()) {
      log.info("the stores were left for too long, and are read from Kafka anew");
      empty.run();
    }
    age.begin();
    return new FollowedStores(age, follow);
  }

  FollowedStores start() {
    watch.start();
    return this;
  }

  void look() {
    if (follow.getAsBoolean()) {
      age.followed();
    }
  }

  @Override
  public void close() {
    watch.close();
  }
}
