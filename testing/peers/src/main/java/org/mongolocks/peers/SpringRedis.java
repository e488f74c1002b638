package org.mongolocks.peers;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** The lock registry of Spring Integration on Redis, in the mode that its reference prefers, with its own renewal. */
final class SpringRedis {
    private SpringRedis() {}

    static PeerLocks open(PeerPlace place) {
        LettuceConnectionFactory redis =
                new LettuceConnectionFactory(LettuceConnectionFactory.createRedisConfiguration(place.uri()));
        redis.setEagerInitialization(true);
        redis.afterPropertiesSet();
        redis.start();
        RedisLockRegistry registry = new RedisLockRegistry(
                redis, place.database() + ":" + place.collection(), place.ttl().toMillis());
        registry.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
        ThreadPoolTaskScheduler renewal = new ThreadPoolTaskScheduler();
        renewal.initialize();
        registry.setRenewalTaskScheduler(renewal);
        return new SpringLocks(registry, () -> {
            renewal.destroy();
            registry.destroy();
            redis.destroy();
        });
    }
}
