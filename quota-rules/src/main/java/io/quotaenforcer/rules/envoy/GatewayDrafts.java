package io.quotaenforcer.rules.envoy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A draft for every limit, each by itself: a gateway looks up which of them applies, so that none
 * need leave requests to others.
 */
final class GatewayDrafts {
  private GatewayDrafts() {}

  /** Drafts in the order of the file, including unlimited ones. */
  static List<RuleDraft> of(List<Descriptor> descriptors) {
    List<RuleDraft> drafts = new ArrayList<>();
    walk(List.of(), descriptors, drafts);
    return drafts;
  }

  private static void walk(
      List<Descriptor> above, List<Descriptor> descriptors, List<RuleDraft> drafts) {
    for (Descriptor descriptor : descriptors) {
      List<Descriptor> path = new ArrayList<>(above);
      path.add(descriptor);
      if (descriptor.limit().isPresent()) {
        drafts.add(new RuleDraft(attributes(path)));
      }
      walk(path, descriptor.nested(), drafts);
    }
  }

  /** A path as attributes, which must differ: the second {@code a} is {@code a-2}. */
  static List<Descriptor> attributes(List<Descriptor> path) {
    Map<String, Integer> seen = new HashMap<>();
    List<Descriptor> attributes = new ArrayList<>();
    for (Descriptor descriptor : path) {
      int nth = seen.merge(descriptor.key(), 1, Integer::sum);
      attributes.add(nth == 1 ? descriptor : descriptor.named(descriptor.key() + "-" + nth));
    }
    return attributes;
  }
}
