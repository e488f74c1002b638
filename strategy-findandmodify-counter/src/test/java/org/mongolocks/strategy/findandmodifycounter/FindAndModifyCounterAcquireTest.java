package org.mongolocks.strategy.findandmodifycounter;

import static org.mongolocks.protocol.ProtocolFixture.firstAttempt;

import org.junit.jupiter.api.Test;
import org.mongolocks.protocol.ProtocolScript;

class FindAndModifyCounterAcquireTest {
    @Test
    void oneCommandExtendsAcquiresOrDoesNotChangeTheLock() {
        ProtocolScript.of(new FindAndModifyCounterStrategy().acquire(firstAttempt()))
                .sends("findandmodify-counter/acquire-or-extend", """
                {findAndModify: 'locks',
                 query: {_id: '$job', format: 'findandmodify-counter/2'},
                 update: [
                  {$replaceWith: {$switch: {branches: [
                    {case: {$ne: ['$format', {$literal: 'findandmodify-counter/2'}]}, then: '$$ROOT'},
                    {case: {$eq: ['$owner', {$literal: 'me/00000000-0000-0000-0000-000000000001'}]},
                     then: {$mergeObjects: ['$$ROOT', {
                       renewedAt: {$max: ['$renewedAt', '$$NOW']},
                       leaseMs: {$max: [NumberLong(10000), '$leaseMs']},
                       rev: {$add: [{$ifNull: ['$rev', NumberLong(0)]}, NumberLong(1)]}}]}},
                    {case: {$or: [{$eq: [{$ifNull: ['$owner', null]}, null]}, {$lte: [{$add: ['$renewedAt', '$leaseMs']}, '$$NOW']}]},
                     then: {$mergeObjects: ['$$ROOT', {
                       owner: {$literal: 'me/00000000-0000-0000-0000-000000000001'},
                       holder: {$literal: {host: '$host', pid: NumberLong(7), thread: '$thread', note: '$note'}},
                       fence: {$add: [{$ifNull: ['$fence', NumberLong(0)]}, NumberLong(1)]},
                       acquiredAt: '$$NOW',
                       renewedAt: '$$NOW',
                       leaseMs: NumberLong(10000),
                       rev: {$add: [{$ifNull: ['$rev', NumberLong(0)]}, NumberLong(1)]}}]}}],
                   default: '$$ROOT'}}},
                  {$set: {
                    releasedAt: {$cond: [{$ne: ['$format', {$literal: 'findandmodify-counter/2'}]}, '$releasedAt', '$$REMOVE']},
                    forcedAt: {$cond: [{$ne: ['$format', {$literal: 'findandmodify-counter/2'}]}, '$forcedAt', '$$REMOVE']}}}],
                 upsert: true,
                 fields: {
                  format: 1, owner: 1, holder: 1, fence: 1, acquiredAt: 1, renewedAt: 1, leaseMs: 1, releasedAt: 1, forcedAt: 1,
                  rev: 1, now: '$$NOW'}}""");
    }
}
