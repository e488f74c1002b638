package org.mongolocks.contract.broken;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.SchemaMode;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp;

/** A mistake in what is stored, shown, listed or created. */
@SuppressWarnings("ImmutableEnumChecker") // The functions keep no state.
enum OperatorMistake implements Mistake {
    /** Acquires the lock whatever the format of the document. */
    ACQUIRES_FOREIGN_DOCUMENTS("/acquire-or-extend", StoredMistakes::acquiringWithoutMark),
    /** Renews the lock whatever the format of the document. */
    RENEWS_FOREIGN_DOCUMENTS("/renew", StoredMistakes::renewingWithoutMark),
    /** Reports a document of another format as contention. */
    WAITS_FOR_FOREIGN_LOCKS(strategy -> new OtherFormatStrategy(strategy)),
    /** Has no format mark that could be checked when a client is built. */
    CHECKS_NO_FORMAT_WHEN_BUILT(strategy -> new ForwardingStrategy(strategy) {
        @Override
        public Optional<String> format() {
            return Optional.empty();
        }
    }),
    /** Leaves the holder in a released lock. */
    LEAVES_THE_HOLDER_INFO("/release", StoredMistakes::leavingTheHolder),
    /** Lets the server evaluate the holder's strings. */
    EVALUATES_THE_HOLDER_INFO("/acquire-or-extend", StoredMistakes::evaluatingTheHolder),
    /** Replaces the holder information only if the next holder gives some. */
    KEEPS_THE_PREVIOUS_HOLDER_INFO("/acquire-or-extend", StoredMistakes::keepingTheHolder),
    /** Treats the prefix of a list as a pattern. */
    MATCHES_PATTERNS("/list", StoredMistakes::matchingPatterns),
    /** Lists leases that have ended. */
    SHOWS_ENDED_LEASES("/list", StoredMistakes::withoutExpressions),
    SENDS_NO_HOLDER_INFO {
        @Override
        public void in(LockClientBuilder<?> builder) {
            builder.holderInfo(HolderInfo::none);
        }
    },
    CREATES_ANYWAY {
        @Override
        public void in(LockClientBuilder<?> builder) {
            builder.schema(SchemaMode.CREATE);
        }
    },
    /** Checks collections other than those that it locks in. */
    CHECKS_OTHER_COLLECTIONS {
        @Override
        public void in(LockClientBuilder<?> builder) {
            builder.collection("elsewhere-" + UUID.randomUUID());
        }
    },
    CHECKS_NOTHING {
        @Override
        public void in(LockClientBuilder<?> builder) {
            builder.schema(SchemaMode.NONE);
        }
    },
    HIDES_FOREIGN_DOCUMENTS {
        @Override
        LockPage listed(LockPage page) {
            return new LockPage(page.locks(), List.of(), page.next());
        }
    },
    REPEATS_PAGES {
        @Override
        LockQuery asked(LockQuery query) {
            return new LockQuery(query.prefix(), query.isHeldOnly(), query.instance(), Optional.empty(), query.limit());
        }
    },
    ENDS_AFTER_A_PAGE {
        @Override
        LockPage listed(LockPage page) {
            return new LockPage(page.locks(), page.foreign(), Optional.empty());
        }
    },
    SHOWS_RELEASED_LOCKS {
        @Override
        LockQuery asked(LockQuery query) {
            return new LockQuery(query.prefix(), false, query.instance(), query.after(), query.limit());
        }
    },
    SHOWS_LOCKS_OF_OTHERS {
        @Override
        LockQuery asked(LockQuery query) {
            return new LockQuery(query.prefix(), query.isHeldOnly(), Optional.empty(), query.after(), query.limit());
        }
    };

    private final Function<LockStrategy, LockStrategy> strategy;

    OperatorMistake() {
        this(UnaryOperator.<LockStrategy>identity());
    }

    OperatorMistake(Function<LockStrategy, LockStrategy> strategy) {
        this.strategy = strategy;
    }

    /** Replaces the operation at one place of the protocol. */
    OperatorMistake(String label, UnaryOperator<MongoOp> mutation) {
        this(sound -> new MutatedStrategy(sound, op -> op.label().endsWith(label) ? mutation.apply(op) : op));
    }

    LockQuery asked(LockQuery query) {
        return query;
    }

    LockPage listed(LockPage page) {
        return page;
    }

    @Override
    public LockStrategy in(LockStrategy sound) {
        return strategy.apply(sound);
    }

    @Override
    public BlockingLocks in(BlockingLocks locks) {
        return new ForwardingLocks(locks) {
            @Override
            public LockPage list(LockQuery query) throws InterruptedException {
                return listed(super.list(asked(query)));
            }
        };
    }
}
