package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.RequestEvent.CountedBy;
import io.quotaenforcer.schemas.Outcome;
import io.quotaenforcer.schemas.RequestEvent;
import java.util.Arrays;

/** Request events, to and from the wire. */
public final class RequestEventMapping {
  private static final io.quotaenforcer.core.Outcome[] OUTCOMES =
      Arrays.stream(Outcome.values())
          .map(outcome -> io.quotaenforcer.core.Outcome.valueOf(outcome.name()))
          .toArray(io.quotaenforcer.core.Outcome[]::new);
  private static final CountedBy[] COUNTED_BY =
      Arrays.stream(io.quotaenforcer.schemas.CountedBy.values())
          .map(by -> CountedBy.valueOf(by.name()))
          .toArray(CountedBy[]::new);

  private RequestEventMapping() {}

  public static RequestEvent toRecord(io.quotaenforcer.core.message.RequestEvent event) {
    return new RequestEvent(
        event.id(),
        event.request().attributes(),
        event.request().cost(),
        event.timeMicros(),
        Outcome.valueOf(event.outcome().name()),
        io.quotaenforcer.schemas.CountedBy.valueOf(event.countedBy().name()),
        event.service());
  }

  /** Throws IllegalArgumentException when a field cannot be right. */
  public static io.quotaenforcer.core.message.RequestEvent fromRecord(RequestEvent event) {
    return new io.quotaenforcer.core.message.RequestEvent(
        event.id(),
        Request.received(event.attributes(), event.cost()),
        event.timeMicros(),
        OUTCOMES[event.outcome().ordinal()],
        COUNTED_BY[event.countedBy().ordinal()],
        event.service());
  }
}
