import { charsPerTokenOf, fewestTokens, likelyTokens } from '../../src/tokens.js';

/** Characters a token of these texts, repeated, counted on 2026-11-30 with gpt-tokenizer 3: by o200k, and by cl100k. */
const counted = [
  [
    'English',
    4.64,
    4.64,
    'So when we rebuilt the lower section last spring, the first thing that we noticed was how much water had been running straight down the middle of the trail. You can armour it with rock, and people do, but if you do not get the water off to the side it will simply find the next soft spot and take that instead. ',
  ],
  [
    'German',
    4.66,
    3.82,
    'Als wir im letzten Frühjahr den unteren Abschnitt neu gebaut haben, fiel uns zuerst auf, wie viel Wasser mitten auf dem Weg hinunterlief. Man kann ihn mit Steinen befestigen, und viele tun das, aber wenn man das Wasser nicht zur Seite ableitet, sucht es sich einfach die nächste weiche Stelle. ',
  ],
  [
    'Russian',
    3.9,
    2.05,
    'Когда мы прошлой весной перестраивали нижний участок, первое, что мы заметили, это сколько воды течёт прямо посередине тропы. Можно укрепить её камнем, и многие так делают, но если не отвести воду в сторону, она просто найдёт следующее мягкое место. ',
  ],
  [
    'Chinese',
    1.34,
    0.88,
    '去年春天我们重建下半段的时候，首先注意到的是有多少水直接从小路中间流下来。你可以用石头加固它，很多人也这么做，但是如果不把水引到旁边去，它只会找到下一个松软的地方，然后把那里冲走。',
  ],
  [
    'Hindi',
    3.12,
    1.02,
    'पिछले वसंत में जब हमने निचले हिस्से को फिर से बनाया, तो सबसे पहले हमने देखा कि कितना पानी सीधे पगडंडी के बीच से बह रहा था। आप इसे पत्थर से मज़बूत कर सकते हैं, और लोग करते भी हैं, लेकिन अगर आप पानी को किनारे नहीं निकालते तो वह अगली नरम जगह ढूँढ लेगा। ',
  ],
  [
    'Thai',
    2.47,
    1.08,
    'ตอนที่เราสร้างช่วงล่างใหม่เมื่อฤดูใบไม้ผลิปีที่แล้ว สิ่งแรกที่เราสังเกตเห็นคือน้ำไหลลงมาตรงกลางทางเดินมากแค่ไหน คุณสามารถเสริมด้วยหินได้ และหลายคนก็ทำแบบนั้น แต่ถ้าไม่ระบายน้ำออกไปด้านข้าง มันก็จะหาจุดอ่อนถัดไป',
  ],
] as const;

describe('fewestTokens', () => {
  it.each(counted)('asks of %s no more tokens than a thrifty tokeniser makes', (...[, thrifty, , text]) => {
    expect(fewestTokens(text)).toBeLessThan(text.length / thrifty);
  });
});

describe('likelyTokens', () => {
  it.each(counted)('expects of %s no fewer tokens than a lavish tokeniser makes', (...[, , lavish, text]) => {
    expect(likelyTokens(text)).toBeGreaterThan((0.98 * text.length) / lavish);
  });
});

describe('charsPerTokenOf', () => {
  it('is 3.5 for plain English, and less for scripts of many bytes', () => {
    expect(charsPerTokenOf(counted[0][3])).toBe(3.5);
    expect(charsPerTokenOf('')).toBe(3.5);
    expect(charsPerTokenOf(counted[3][3])).toBeLessThan(1);
  });
});
