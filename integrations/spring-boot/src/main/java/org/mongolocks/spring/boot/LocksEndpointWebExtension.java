package org.mongolocks.spring.boot;

import org.mongolocks.spring.boot.LocksEndpoint.Release;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** The status codes of {@link LocksEndpoint} over HTTP. Thread-safe. */
@EndpointWebExtension(endpoint = LocksEndpoint.class)
public final class LocksEndpointWebExtension {
    private static final int STATUS_CONFLICT = 409;

    private final LocksEndpoint endpoint;

    LocksEndpointWebExtension(LocksEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * Force-releases a lock, as {@link LocksEndpoint#release} does.
     *
     * @param name the name
     * @param revision the {@code revision} that was seen
     * @return the outcome: status 200 if the lock was released, 404 if there is no such lock, else 409
     */
    @DeleteOperation
    public WebEndpointResponse<Release> release(String name, long revision) {
        Release outcome = endpoint.release(name, revision);
        if (outcome.released()) {
            return new WebEndpointResponse<>(outcome, WebEndpointResponse.STATUS_OK);
        }
        return new WebEndpointResponse<>(
                outcome, outcome.lock() == null ? WebEndpointResponse.STATUS_NOT_FOUND : STATUS_CONFLICT);
    }
}
