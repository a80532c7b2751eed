package io.quotaenforcer.enforcer.operations;

import io.quotaenforcer.enforcer.deadletters.DeadLetter;
import io.quotaenforcer.enforcer.deadletters.LetterFilter;
import io.quotaenforcer.enforcer.deadletters.RedriveMark;
import io.quotaenforcer.enforcer.operations.Operations.Found;
import io.quotaenforcer.enforcer.operations.Operations.Letter;
import io.quotaenforcer.enforcer.topics.NewestFirst;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Takes dead letters from the end of their topic backwards. A later page begins at the end, too:
 * marks of redriven letters stand behind them.
 */
final class LettersBackwards
    implements Function<ConsumerRecord<byte[], byte[]>, Optional<DeadLetter>> {
  private final Wire wire;
  private final LetterFilter filter;
  private final Optional<NewestFirst.Place> before;
  private final Map<String, Long> redriven = new HashMap<>();

  LettersBackwards(Wire wire, LetterFilter filter, Optional<String> before) {
    this.wire = wire;
    this.filter = filter;
    this.before = before.map(NewestFirst.Place::parse);
  }

  @Override
  public Optional<DeadLetter> apply(ConsumerRecord<byte[], byte[]> record) {
    Optional<String> mark = RedriveMark.of(record);
    if (mark.isPresent()) {
      redriven.merge(mark.get(), record.timestamp(), Math::max);
      return Optional.empty();
    }
    if (before.isPresent() && !before.get().isBefore(record.partition(), record.offset())) {
      return Optional.empty();
    }
    return Optional.of(DeadLetter.of(record, wire)).filter(filter).map(DeadLetter::brief);
  }

  Found<Letter> found(NewestFirst.Page<DeadLetter> page) {
    return new Found<>(
        page.rows().stream()
            .map(NewestFirst.Row::value)
            .map(it -> new Letter(it, Optional.ofNullable(redriven.get(it.aside().place()))))
            .toList(),
        page.next()
            .map(NewestFirst.Place::parse)
            .map(next -> before.map(next::within).orElse(next))
            .filter(next -> !next.isEnd())
            .map(NewestFirst.Place::toString),
        page.lookedAt());
  }
}
