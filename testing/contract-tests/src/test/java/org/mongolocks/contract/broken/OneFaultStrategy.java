package org.mongolocks.contract.broken;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Lease;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/** A strategy that stops renewing after one failed renewal, like a keep-alive whose thread has died. */
final class OneFaultStrategy extends ForwardingStrategy {
    private final AtomicReference<Reply.@Nullable Failed> fault = new AtomicReference<>();

    OneFaultStrategy(LockStrategy strategy) {
        super(strategy);
    }

    @Override
    public Step<Renewal> renew(Lease lease) {
        return untilItFails(super.renew(lease));
    }

    @Override
    public Optional<Step<Boolean>> renewAll(List<Lease> leases) {
        return super.renewAll(leases).map(this::untilItFails);
    }

    private <R> Step<R> untilItFails(Step<R> renewal) {
        Reply.Failed before = fault.get();
        return before != null ? new Step.Fail<>(before) : renewal.then(Step::done, this::failed);
    }

    private <R> Step<R> failed(Reply.Failed failure) {
        fault.set(failure);
        return new Step.Fail<>(failure);
    }
}
