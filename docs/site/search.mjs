// How the search splits and ranks; the browser and the test use the same. VitePress sends the functions as text: they must need
// nothing outside of themselves.

export const miniSearch = {
  options: {
    /** Each Chinese character is a word. */
    tokenize: text => text.replace(/\p{Script=Han}/gu, ' $& ').split(/[^\p{L}\p{N}_$]+/u).filter(word => word),
    /** Words that say nothing are neither stored nor searched. */
    processTerm: term => /^(a|an|and|are|be|by|can|do|does|for|how|i|if|in|is|it|my|of|on|or|should|that|the|to|what|with)$/i.test(term)
      ? null : term.toLowerCase(),
  },
  searchOptions: {
    prefix: true,
    fuzzy: 0.2,
    boost: { title: 4, titles: 2, text: 1 },
    /** What a user does comes before how it is made and proved, and the answer of a page before its details. */
    boostDocument: (id, term, { titles }) =>
      (/\/guides\//.test(id) ? 3
        : /holding-and-waiting|data-safety|guarantees|operations|compare\.html|several-locks|integrations|strategies\/#/.test(id) ? 2
          : /\/adr\/|found|contract\.|CHANGELOG|proof|real-processes|published-code|intentional|architecture|dependencies|add-a-/.test(id) ? 0.3
            : 1) * (titles.length === 0 ? 2 : 1),
  },
}
