import { describe, expect, test } from 'vitest'
import { mediaItems } from '../../src/reader/mediaItems.js'

const PAGE = `<section data-mw-section-id="0"><p><span typeof="mw:Image"><a href="./File:Flag.png"><img resource="./File:Flag.png" src="/f.png" width="20" height="15"/></a></span></p>
<figure typeof="mw:Image/Thumb"><a href="./File:Big_%26_old.png"><img alt="x > y" resource="./File:Big_%26_old.png" src="/b.png" srcset="/b2.png 2x, /b15.png 1.5x" width="220" height="165"/></a><figcaption>A <b class="c">big</b> <a href="./Rose">rose</a> &amp; more</figcaption></figure></section>
<section data-mw-section-id="1"><h2>B</h2><video poster="/v.jpg" resource="./File:Film.webm" width="400" height="300"></video>
<figure><audio resource="./File:Song.oga"></audio><figcaption> </figcaption></figure><img src="/math.svg"></section>`

describe('the media of a page', () => {
  test('come in order, with their sections, addresses and captions', () => {
    expect(mediaItems(PAGE)).toEqual([
      {
        type: 'image',
        title: 'File:Flag.png',
        section: 0,
        isShown: false,
        sources: [{ src: '/f.png', scale: '1x' }],
      },
      {
        type: 'image',
        title: 'File:Big_&_old.png',
        section: 0,
        isShown: true,
        sources: [
          { src: '/b.png', scale: '1x' },
          { src: '/b15.png', scale: '1.5x' },
          { src: '/b2.png', scale: '2x' },
        ],
        caption: { html: 'A <b>big</b> rose &amp; more', text: 'A big rose & more' },
      },
      {
        type: 'video',
        title: 'File:Film.webm',
        section: 1,
        isShown: true,
        sources: [{ src: '/v.jpg', scale: '1x' }],
      },
      { type: 'audio', title: 'File:Song.oga', section: 1, isShown: true, sources: [] },
    ])
  })

  test('are bounded', () => {
    expect(mediaItems('<img resource="./File:A.png">'.repeat(2000))).toHaveLength(1000)
    const [item] = mediaItems(
      `<figure><img resource="./File:A.png"><figcaption>${'<b>x</b>'.repeat(1000)}</figcaption>`,
    )
    expect(item!.caption!.html.length).toBeLessThanOrEqual(2000)
    expect(item!.caption!.html).toMatch(/<\/b>$|x$/)
  })
})
