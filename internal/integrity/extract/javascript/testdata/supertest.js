var request = require('supertest')

describe('res', function () {
  it('ends with done', function (done) {
    request(app)
      .get('/')
      .set('Accept', 'text/html')
      .expect('Content-Type', /html/)
      .expect('X-Count', '3')
      .expect(200, 'hello', done)
  })

  it('is awaited', async () => {
    await request(app).post('/').send({ a: 1 }).expect(201).expect({ ok: true })
  })

  it('is returned', () => request(app).get('/').expect(404))

  it('is lost', () => {
    request(app).get('/').expect(404)
  })

  it('has a callback', function (done) {
    request(app)
      .get('/')
      .expect(utils.shouldNotHaveHeader('ETag'))
      .expect(function (res) { assert.equal(res.body.n, 1) })
      .end(function (err, res) {
        if (err) return done(err)
        assert.equal(res.text, 'x')
        done()
      })
  })
})
